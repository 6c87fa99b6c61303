// A process that tries to take a folder when it is told to. It starts at an instant, so that several try at once.
import { lockFolder } from "../../dist/store/folder-lock.js";

let unlock = () => {};

process.on("message", ({ what, folder, at }) => {
  while (Date.now() < at) {
    // A timer would come late; every contender has to be awake now.
  }
  process.send(what === "take" ? take(folder) : release());
});

function take(folder) {
  try {
    unlock = lockFolder(folder);
    return { outcome: "taken" };
  } catch (error) {
    return { outcome: error.name, message: error.message };
  }
}

function release() {
  unlock();
  return { outcome: "released" };
}
