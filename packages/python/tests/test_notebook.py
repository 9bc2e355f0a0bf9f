"""The notebook draws its chart of the running service that BASE_URL names."""
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

NOTEBOOK = Path(__file__).parent.parent / "berthings.ipynb"


class Notebook(unittest.TestCase):
    def test_draws_the_berthings_of_a_port(self) -> None:
        cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
        with tempfile.TemporaryDirectory() as folder:
            chart = Path(folder, "berthings.png")
            with patch.dict(os.environ, {"MPLBACKEND": "Agg", "CHART": str(chart)}):
                names: dict[str, object] = {}
                for cell in cells:
                    exec("".join(cell["source"]), names)
            self.assertGreater(chart.stat().st_size, 10_000)


if __name__ == "__main__":
    unittest.main()
