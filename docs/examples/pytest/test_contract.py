"""The back end against the contract: fails for a cause that baseline.json does not have."""

import os
import socket
import subprocess
import sys
import time

import pytest


@pytest.fixture(scope="session")
def base_url():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "uvicorn", "app:app", "--port", str(port), "--log-level", "warning"])
    try:
        for _ in range(300):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if server.poll() is not None:
                pytest.fail(f"the back end exited with {server.returncode} before it listened: see its output")
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def test_the_contract(base_url):
    command = ["npx", "notifications-contract", "verify", "--url", base_url, "--only", "document", "--seed", "7", "--baseline", "baseline.json"]
    environment = os.environ | {"NC_API_KEY": "team-key"}
    verified = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout + verified.stderr
