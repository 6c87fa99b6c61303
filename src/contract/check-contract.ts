// A step of the build: checks a contract in full and leaves it checked for quick starts.
// Usage: node check-contract.js <file> …
import { storeCheckedValue } from "./checked-contract.js";
import { loadContract } from "./contract.js";

for (const path of process.argv.slice(2)) {
  const { file } = await loadContract(path, { isCheckedAnew: true });
  storeCheckedValue(file);
}
