// The build's last step: checks the contract in full and leaves it checked for quick starts.
import { storeCheckedValue } from "./checked-contract.js";
import { loadContract } from "./contract.js";
import { CONTRACT_PATH } from "./contract-file.js";

const { file } = await loadContract(CONTRACT_PATH, { isCheckedAnew: true });
storeCheckedValue(file);
