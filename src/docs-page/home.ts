// The script of the home page.
import { startShell } from "./shell.js";

startShell();
