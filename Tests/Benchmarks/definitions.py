"""Definitions for benchmarks: records with few and with many fields, and a model for each conflict
mode."""
from documents import TAIL

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<application xmlns="http://schema.mobeelizer.com/application"
             xmlns:w="urn:waggle:definition"
             application="bench" vendor="waggle" conflictMode="MANUAL">
  <devices>
    <device name="mobile"/>
  </devices>
  <groups>
    <group name="users"/>
  </groups>
  <roles>
    <role group="users" device="mobile"/>
  </roles>
  <models>
"""

FIELD_RIGHTS = """          <credentials>
            <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                        updateAllowed="ALL"/>
          </credentials>
"""

MODEL_RIGHTS = """      <credentials>
        <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL" updateAllowed="ALL"
                    deleteAllowed="ALL" resolveConflictAllowed="true"/>
      </credentials>
"""

MODES = ["MANUAL", "OVERWRITE", "DISCARD", "MERGE"]


def items(count):
    """Items with this number of fields that belong to shelves, and labels with a picture."""
    texts = [field(f"field{number}", "TEXT") for number in range(1, count + 1)]
    return HEAD + model("shelf", [field("name", "TEXT")]) \
        + model("item", [field("shelf", "BELONGS_TO", model="shelf"), *texts]) \
        + model("label", [field("picture", "FILE")]) + TAIL


def modes():
    return HEAD + "".join(
        model(mode.lower(), [field("title", "TEXT"), field("note", "TEXT")],
              f' w:conflictMode="{mode}"') for mode in MODES) + TAIL


def model(name, fields, attributes=""):
    return (f'    <model name="{name}"{attributes}>\n      <fields>\n{"".join(fields)}'
            f"      </fields>\n{MODEL_RIGHTS}    </model>\n")


def field(name, kind, **options):
    lines = "".join(f'            <option name="{option}">{value}</option>\n'
                    for option, value in options.items())
    section = f"          <options>\n{lines}          </options>\n" if lines else ""
    return f'        <field name="{name}" type="{kind}">\n{FIELD_RIGHTS}{section}        </field>\n'
