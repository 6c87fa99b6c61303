"use server";
import { createApi } from "./api";

export async function switchEmail(isOn: boolean) {
  return { ...(await createApi().updatePreferences("ines-moreau", { channels: { email: isOn } })) };
}
