// Whether a URL is one of our own servers: their /health says which contract they serve, by its digest.
import { NoResponseError, type Transport } from "./http-transport.js";

/** @throws TargetDownError */
export async function recognizeTarget(
  { pathname }: URL,
  transport: Transport,
): Promise<"reference" | "implementation"> {
  const target = `${pathname.replace(/\/$/, "")}/health`;
  const response = await transport.send({ method: "GET", target, headers: {} }).catch((error) => {
    if (error instanceof NoResponseError) return undefined;
    throw error;
  });
  return response?.status === 200 && /"contract":\{[^}]*"sha256":"[0-9a-f]{64}"/.test(response.text)
    ? "reference"
    : "implementation";
}
