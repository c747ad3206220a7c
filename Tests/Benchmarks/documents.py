"""The documents of the compiler benchmark, each a stream of text."""

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<application xmlns="http://schema.mobeelizer.com/application"
             xmlns:w="urn:waggle:definition"
             application="bench" vendor="acme" conflictMode="MANUAL">
  <devices>
    <device name="mobile"/>
    <device name="desk"/>
  </devices>
  <groups>
    <group name="users"/>
    <group name="staff"/>
  </groups>
  <roles>
    <role group="users" device="mobile"/>
    <role group="users" device="desk"/>
    <role group="staff" device="desk"/>
  </roles>
  <models>
"""

TAIL = "  </models>\n</application>\n"

FIELD_CREDENTIALS = """          <credentials>
            <credential role="users-mobile" createAllowed="OWN" readAllowed="ALL"
                        updateAllowed="OWN"/>
            <credential role="users-desk" createAllowed="OWN" readAllowed="ALL"
                        updateAllowed="GROUP"/>
            <credential role="staff-desk" createAllowed="ALL" readAllowed="ALL"
                        updateAllowed="ALL"/>
          </credentials>
"""

MODEL_CREDENTIALS = """      <credentials>
        <credential role="users-mobile" createAllowed="OWN" readAllowed="ALL" updateAllowed="OWN"
                    deleteAllowed="OWN"/>
        <credential role="users-desk" createAllowed="OWN" readAllowed="ALL" updateAllowed="GROUP"
                    deleteAllowed="OWN"/>
        <credential role="staff-desk" createAllowed="ALL" readAllowed="ALL" updateAllowed="ALL"
                    deleteAllowed="ALL" resolveConflictAllowed="true"/>
      </credentials>
"""


def definition(models):
    """A realistic definition without warnings: every model has a field of each type and one more,
    with limits, defaults, and rights of three roles."""
    yield HEAD
    for number in range(models):
        yield model(number)
    yield TAIL


def model(number):
    owner = max(0, number - 1)
    is_required = "true" if number > 0 else "false"
    fields = "".join([
        field("title", "TEXT", 'required="true" w:minLength="1"', maxLength=120),
        field("notes", "TEXT", "", maxLength=4000),
        field("quantity", "INTEGER", 'defaultValue="1"', minValue=0, maxValue=1000),
        field("price", "DECIMAL", 'defaultValue="0.50"', scale=2, minValue=0, maxValue="99999.99"),
        field("done", "BOOLEAN", 'required="true" defaultValue="false"'),
        field("due", "DATE", 'w:minDate="2020-01-01"'),
        field("photo", "FILE", ""),
        field("owningItem", "BELONGS_TO", f'required="{is_required}"', model=f"workItem{owner}",
              analyzeConflict="true"),
    ])
    return (f'    <model name="workItem{number}" w:description="What is to be done.">\n'
            f"      <fields>\n{fields}      </fields>\n{MODEL_CREDENTIALS}    </model>\n")


def field(name, kind, attributes, **options):
    start = f'        <field name="{name}" type="{kind}" {attributes}'.rstrip()
    lines = "".join(
        f'            <option name="{option}">{value}</option>\n'
        for option, value in options.items())
    section = f"          <options>\n{lines}          </options>\n" if lines else ""
    return f"{start}>\n{FIELD_CREDENTIALS}{section}        </field>\n"


def within(content):
    """A document with a device category, a group and a role around some models."""
    yield ('<application application="bench" vendor="acme"><devices><device name="mobile"/>'
           '</devices><groups><group name="users"/></groups>'
           '<roles><role group="users" device="mobile"/></roles><models>')
    yield from content
    yield "</models></application>"


def repeated(part, size):
    """Repeats the part up to a size in bytes, and replaces `{}` with the number of the copy."""
    length = len(part.format(0).encode()) + 4
    for turn in range(size // length):
        yield part.format(turn)


def in_field(part, size):
    yield '<model name="a"><fields><field name="b" type="TEXT">'
    yield from repeated(part, size)
    yield "</field></fields></model>"


def unknown_models(size):
    """Misspelt long names, each of which is compared with a thousand similar ones."""
    yield from repeated('<model name="aVeryLongNameOfSomeModelWithNumber{}"><fields>'
                        '<field name="b" type="BELONGS_TO"><options>'
                        '<option name="model">aVeryLongNameFoSomeModelWihtNumber{}x</option>'
                        "</options></field></fields></model>".replace("{}x", "x"), size)


# Inputs that are slow for a compiler with quadratic steps.
HOSTILE = {
    "elements in elements": lambda size: repeated("<a>", size),
    "attributes of one element": lambda size: ("<application ", *repeated("a{}='' ", size), "/>"),
    "namespaces of many elements": lambda size: within(
        in_field("<a " + " ".join(f"xmlns:a{n}='b'" for n in range(60)) + "/>", size)),
    "entities in a value": lambda size: (
        "<application application='a' vendor='", *repeated("&lt;&#65;", size), "'/>"),
    "entities in a text": lambda size: (
        "<application application='a' vendor='b'>", *repeated("&amp; ", size), "</application>"),
    "a text in pieces": lambda size: (
        "<application application='a' vendor='b'>",
        *repeated("<![CDATA[a]]><!-- b --><?c d?>", size), "</application>"),
    "one long name": lambda size: (
        "<application application='a' vendor='", *repeated("ż", size), "'/>"),
    "one long line": lambda size: within(repeated(
        "<model name='m{}'><fields><field name='a' type='TEXT'/></fields></model>", size)),
    "lines that end with CR": lambda size: within(repeated(
        "<model name='m{}'>\r<fields>\r<field name='a' type='TEXT'/></fields>\r</model>\r", size)),
    "unknown attributes": lambda size: within(repeated("<model name='m{}' nam='a'/>", size)),
    "unknown names": lambda size: within(unknown_models(size)),
    "the same name": lambda size: within(repeated("<model name='a'/>", size)),
    "names that differ in case": lambda size: within(
        name for pair in zip(repeated("<model name='m{}'/>", size // 2),
                             repeated("<model name='M{}'/>", size // 2)) for name in pair),
    "the same credential": lambda size: within(in_field(
        "<credentials><credential role='users-mobile'/></credentials>", size)),
    "the same option": lambda size: within(in_field(
        "<options><option name='maxLength'>1</option></options>", size)),
    "many groups and roles": lambda size: (
        "<application application='a' vendor='b'><devices><device name='d'/></devices><groups>",
        *repeated("<group name='g{}'/>", size // 2), "</groups><roles>",
        *repeated("<role group='g{}' device='d'/>", size // 2), "</roles></application>"),
    "comments that do not end": lambda size: ("<application>", *repeated("<!--", size)),
    "tags that do not end": lambda size: ("<application", *repeated(" a{}", size)),
}
