// The reference server in a service worker: service-worker.js.

/** Resolves once the worker handles this page's requests. */
export async function start(): Promise<void> {
  const { serviceWorker } = navigator;
  const controlled = new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve));
  await serviceWorker.register("/service-worker.js", { type: "module" });
  if (!serviceWorker.controller) await controlled;
  Object.assign(window, { callHandler }); // for tests
}

/** Calls a method of the worker's handler. */
function callHandler(method: string, argument?: unknown): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  navigator.serviceWorker.controller?.postMessage({ method, argument }, [port2]);
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
}
