"use client";
import { useState } from "react";

export function EmailSwitch({ preferences, switchEmail }) {
  const [result, setResult] = useState(preferences);
  const isOn = result.data.global.channels.email;
  const toggle = async () => setResult(await switchEmail(!isOn));
  return (
    <button type="button" onClick={toggle}>
      {`email is ${isOn ? "on" : "off"}`}
    </button>
  );
}
