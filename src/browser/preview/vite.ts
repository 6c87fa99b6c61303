// `notifications-contract/vite` of earlier releases: it names its replacement.
export const notificationsContract = fail();

function fail(): never {
  throw new Error(
    "notifications-contract/vite is gone: remove the plugin, and run `npx msw init public` for startPreview.",
  );
}
