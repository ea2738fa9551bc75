"""As much of the `kcl` command as Frontdesk uses, on KCL's own library: `run FOLDER [--no_style] [--vendor] [--format FORMAT] [-D NAME=VALUE]...`."""
import argparse
import json
import os
import sys

import kcl_lib.api as api


def vendored(folder):
    """Folders `vendor/<name>_<version>`, as packages of that name."""
    home = os.path.join(folder, "vendor")
    return [
        api.ExternalPkg(pkg_name=name.rsplit("_", 1)[0], pkg_path=os.path.join(home, name))
        for name in sorted(os.listdir(home))
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["run"])
    parser.add_argument("folder")
    parser.add_argument("--no_style", action="store_true")
    parser.add_argument("--vendor", action="store_true")
    parser.add_argument("--format", choices=["json", "yaml"], default="yaml")
    parser.add_argument("-D", "--argument", action="append", default=[])
    given = parser.parse_args()
    options = [one.partition("=") for one in given.argument]
    result = api.API().exec_program(
        api.ExecProgramArgs(
            work_dir=given.folder,
            k_filename_list=[given.folder],
            args=[api.Argument(name=name, value=value) for name, _, value in options],
            external_pkgs=vendored(given.folder) if given.vendor else [],
        )
    )
    if result.err_message:
        print(result.err_message, file=sys.stderr)
        sys.exit(1)
    sys.stdout.write(result.log_message)
    sys.stdout.write((result.yaml_result if given.format == "yaml" else one_json(result.json_result)) + "\n")


def one_json(text):
    """The text, if it is one JSON value: the real command indents it, and so fails on a stream."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError("invalid character '{' after top-level value") from error
    return text


try:
    main()
except Exception as error:
    print(error, file=sys.stderr)
    sys.exit(1)
