// A process that tries to take a folder when it is told to. It starts at an instant, so that several try at once.
import { lockFolder } from "../../dist/server/store/disk/folder-lock.js";

let unlock = () => {};

process.on("message", async ({ what, folder, at }) => {
  while (Date.now() < at) {
    // A timer would come late; every contender has to be awake now.
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
