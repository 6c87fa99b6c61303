// A process that tries to lock a folder at a given instant, so that several try at once.
import { lockFolder } from "../../dist/server/store/folder-lock.js";

let unlock = () => {};

process.on("message", async ({ what, folder, at }) => {
  while (Date.now() < at) {
    // Busy, since a timer would be late.
  }
  process.send(what === "take" ? await take(folder) : release());
});

async function take(folder) {
  try {
    unlock = await lockFolder(folder);
    return { outcome: "taken" };
  } catch (error) {
    return { outcome: error.name, message: error.message };
  }
}

function release() {
  unlock();
  return { outcome: "released" };
}
