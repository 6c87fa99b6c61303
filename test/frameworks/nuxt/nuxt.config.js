export default {
  compatibilityDate: "2026-01-01",
  telemetry: false,
  runtimeConfig: { ncUrl: process.env.NC_URL, ncApiKey: process.env.NC_API_KEY },
};
