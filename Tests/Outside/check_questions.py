"""Runs the example of the article on questions, and compares answers with the map.

    check_questions.py BINARY DIR
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
ARTICLE = REPOSITORY / "Sources/GeoMap/GeoMap.docc/Questions.md"


def run_example(binary, folder, path):
    code = re.search(r"```python\n(.*?)```", ARTICLE.read_text(), re.S).group(1)
    assert len(code.splitlines()) <= 22, "the example is to be short"
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(code)
        file.flush()
        command = [sys.executable, file.name, binary, folder, path]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    binary, folder = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve())
    command = [binary, "map", "-q", "--format", "geojsonl", folder]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    features = [json.loads(line) for line in lines.splitlines()]
    files = [f for f in features if f["properties"]["kind"] == "poi"]
    sample = random.Random(1).sample(files, min(2000, len(files)))

    first = sample[0]["properties"]["path"]
    output = run_example(binary, folder, first)
    assert output.startswith("poi ") and first in output, output

    questions = []
    for feature in sample:
        longitude, latitude = feature["geometry"]["coordinates"]
        questions.append({"path": feature["properties"]["path"], "feature": True})
        questions.append({"lon": longitude, "lat": latitude, "limit": 100})
    command = [binary, "locate", "-q", "--coprocess", "--root", folder]
    text = "".join(json.dumps(question) + "\n" for question in questions)
    answers = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in answers.stdout.splitlines()]
    assert len(answers) == len(questions)
    for feature, located, found in zip(sample, answers[::2], answers[1::2]):
        path = feature["properties"]["path"]
        assert located == feature, (located, feature)
        here = [file["path"] for file in found["files"] if file["distance"] == 0]
        assert path in here, (path, found)
        assert path.startswith(found["folders"][0]["path"] + "/"), (path, found)
    print(f"{len(sample)} files are where they are said to be, and are found there")


main()
