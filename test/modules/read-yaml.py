"""Reads a JSON array of YAML texts, writes what PyYAML's loaders read in each: a second opinion on YAML 1.1."""
import json
import sys

try:
    import yaml
except ImportError as error:
    json.dump({"missing": str(error)}, sys.stdout)
    sys.exit(0)


def checked(value):
    """The value, if JSON shows it without loss: no dates, no keys that are not strings."""
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"key {key!r} is no string")
        return {key: checked(member) for key, member in value.items()}
    if isinstance(value, list):
        return [checked(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{value!r} has no place in JSON")


def read(text, loader):
    try:
        return {"documents": [checked(document) for document in yaml.load_all(text, Loader=loader)]}
    except Exception as error:
        return {"error": str(error)}


loaders = {"pure": yaml.SafeLoader}
if yaml.__with_libyaml__:
    loaders["c"] = yaml.CSafeLoader
texts = json.loads(sys.stdin.buffer.read())
json.dump({name: [read(text, loader) for text in texts] for name, loader in loaders.items()}, sys.stdout)
