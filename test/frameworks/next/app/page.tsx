import { connection } from "next/server";
import { Suspense } from "react";
import { createApi } from "./api";
import { EmailSwitch } from "./email-switch";

export default function Page() {
  return (
    <Suspense fallback="Loading…">
      <Email />
    </Suspense>
  );
}

async function Email() {
  await connection(); // requests the preferences when a page is requested, not when Next.js builds
  return <EmailSwitch preferences={{ ...(await createApi().readPreferences("ines-moreau")) }} />;
}
