import { createClient } from "notifications-contract/client";

const { NC_URL = "http://127.0.0.1:4010", NC_API_KEY = "demo-key" } = process.env;
export const createApi = () => createClient({ baseUrl: NC_URL, apiKey: NC_API_KEY });
