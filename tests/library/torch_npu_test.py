"""The recipe of docs/torch-npu.md: autograd's own gradients of a module, on a device where there is one, else on the CPU."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import torch
except ImportError:
    print("skipped: python3-torch is not installed")
    sys.exit(77)

import gradproof

PAGE = Path(__file__).resolve().parents[2] / "docs" / "torch-npu.md"


def recipe():
    """The first Python block of the page that uses Gradproof, as users copy it."""
    blocks = PAGE.read_text().split("```python\n")[1:]
    return next(block.split("```")[0] for block in blocks if "gradproof" in block)


class Recipe(unittest.TestCase):
    def test_runs_on_this_machine(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "test_npu.py").write_text(recipe())
            paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
            ran = subprocess.run([sys.executable, "-c", "import test_npu; test_npu.test_convolutions()"], cwd=folder, text=True,
                                 env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_notices_a_wrong_gradient(self):
        wrong = recipe().replace("weight.grad", "2 * weight.grad")
        self.assertNotEqual(wrong, recipe())
        names = {}
        exec(compile(wrong, "recipe", "exec"), names)
        with tempfile.TemporaryDirectory() as out:
            report = gradproof.verify(names["test_convolutions"].gradproof_function, arrays="torch", out=out, findings=1, seconds=20)
        self.assertIn("gradWeight", report.findings[0].signature)


if __name__ == "__main__":
    unittest.main()
