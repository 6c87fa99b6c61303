// Shows an error of the contract or of the network.
import type { FailureError } from "notifications-contract/client";

export function ErrorMessage({ error, retry }: { error: FailureError | null; retry(): void }) {
  if (!error) return null;
  const { status } = error.failure;
  const mayPass = status === 503 || status === 429 || status === 0;
  return (
    <p role="alert">
      {status === 503 ? "We are back in a moment." : error.message}
      {mayPass && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </p>
  );
}
