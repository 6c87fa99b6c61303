const target = process.env.NC_URL;

export default { server: { proxy: { "/v1": target, "/v2": target } } };
