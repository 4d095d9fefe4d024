"""The recipe of docs/torch-npu.md, which the test of that page runs, notices a wrong gradient."""
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
