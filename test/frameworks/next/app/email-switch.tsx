"use client";
import type { Result } from "notifications-contract/client";
import { useState } from "react";
import { switchEmail } from "./actions";

export function EmailSwitch({ preferences }: { preferences: Result<"updatePreferences"> }) {
  const [result, setResult] = useState(preferences);
  if (!result.ok) return <p role="alert">{result.error.message}</p>;
  const isOn = result.data.global.channels.email ?? false;
  const toggle = async () => setResult(await switchEmail(!isOn));
  return <button type="button" onClick={toggle}>{`email is ${isOn ? "on" : "off"}`}</button>;
}
