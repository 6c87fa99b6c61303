// A subscriber's preferences: a switch for each channel, which moves before the response arrives.
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Client } from "notifications-contract/client";
import { preferencesQuery, updatePreferencesMutation } from "notifications-contract/query";
import { ErrorMessage } from "./error-message";

export function PreferenceCentre({ client, subscriberId }: { client: Client; subscriberId: string }) {
  const preferences = useQuery(preferencesQuery(client, subscriberId));
  const update = useMutation(updatePreferencesMutation(client, subscriberId));
  const { channels = {} } = preferences.data?.global ?? {};
  return (
    <section aria-labelledby="preferences-title">
      <h2 id="preferences-title">How we reach you</h2>
      {Object.entries(channels).map(([channel, isOn]) => (
        <button
          key={channel}
          type="button"
          role="switch"
          aria-checked={isOn}
          onClick={() => update.mutate({ channels: { [channel]: !isOn } })}
        >
          {channel}
        </button>
      ))}
      {preferences.data ? (
        <ErrorMessage error={update.error} retry={() => update.variables && update.mutate(update.variables)} />
      ) : (
        <ErrorMessage error={preferences.error} retry={() => preferences.refetch()} />
      )}
    </section>
  );
}
