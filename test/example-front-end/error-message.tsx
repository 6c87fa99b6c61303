// An error of the contract, or of the network, for people.
import type { FailureError } from "notifications-contract/client";

type Operation = "updatePreferences" | "listNotifications";

export function ErrorMessage<Id extends Operation>({
  error,
  retry,
}: {
  error: FailureError<Id> | null;
  retry(): void;
}) {
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
