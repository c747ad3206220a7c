#!/usr/bin/env python3
"""Links between articles, in two forms.

In the repository they are relative, as Git hosts and editors follow them:
`[The cursor](Wire.md#the-cursor)`. DocC wants `<doc:Wire#The-cursor>`, or with another text
`[how far](doc:Wire#The-cursor)`.

    doc_links.py FOLDER       rewrites the articles of a catalogue for DocC, in place
    doc_links.py --portable   rewrites those of the repository that are written for DocC
"""
import os
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = [ROOT / 'Sources/Waggle/Documentation.docc', ROOT / 'Sources/DefinitionCompiler/Pages']
RELATIVE = re.compile(
    r'(?<!!)\[([^\]]+)\]\((?=[#\w.])(?:(?:[\w./-]*/)?([\w-]+)\.md)?(#[^)\s]+)?\)')
OF_DOCC = re.compile(r'<doc:([\w-]*)(#[^>\s]+)?>')
CODE = re.compile(
    r'(```.*?^ *```|``[^`\n]+``|`(?:[^`\n]|\n(?!\n))+`)', re.DOTALL | re.MULTILINE)
COLUMNS = 100
HELD = '\0'


class Article:
    def __init__(self, file):
        self.file = file
        prose = re.sub(r'^```.*?^```', '', file.read_text(), flags=re.DOTALL | re.MULTILINE)
        headings = re.findall(r'^#+ (.+?)\s*$', prose, re.MULTILINE)
        self.title = headings[0].strip('`')
        self.headings = {slug(heading): heading for heading in headings[1:]}

    def heading(self, name):
        """The heading of a fragment in either form."""
        found = {fragment(h): h for h in self.headings.values()} | self.headings
        return found.get(name.lstrip('#')) if name else self.title


def slug(heading):
    """As Git hosts name it."""
    return re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-')


def fragment(heading):
    """As DocC names it."""
    return re.sub(r'\s+', '-', re.sub('[\'"`]', '', heading))


def articles(folders):
    files = sorted(file for folder in folders for file in folder.glob('*.md'))
    return {file.stem: Article(file) for file in files}


def outside_code(text, replace):
    parts = CODE.split(text)
    return ''.join(part if index % 2 else replace(part) for index, part in enumerate(parts))


def for_docc(known, file, text):
    def link(match):
        words, name, place = match.groups()
        target = known.get(name or file.stem)
        if target is None:
            return words
        heading = target.heading(place)
        if heading is None:
            sys.exit(f'doc_links: {file.name}: {match.group(0)} leads nowhere')
        address = f'doc:{name or ""}' + (f'#{fragment(heading)}' if place else '')
        same = re.sub(r'\s+', ' ', words) == heading
        return f'<{address}>' if same else f'[{words}]({address})'
    return outside_code(text, lambda part: RELATIVE.sub(link, part))


def portable(known, file, text):
    def link(match):
        name, place = match.groups()
        target = known.get(name or file.stem)
        heading = target and target.heading(place)
        if heading is None:
            sys.exit(f'doc_links: {file.name}: {match.group(0)} leads nowhere')
        address = os.path.relpath(target.file, file.parent) if name else ''
        return f'[{heading}]({address}{"#" + slug(heading) if place else ""})'
    return wrapped(outside_code(text, lambda part: OF_DOCC.sub(link, part)), text)


def wrapped(text, before):
    """Wraps paragraphs anew that became too wide."""
    paragraphs = text.split('\n\n')
    old = before.split('\n\n')
    for index, paragraph in enumerate(paragraphs):
        lines = paragraph.split('\n')
        isProse = not re.match(r'\s*(\||#|```|<!--)', paragraph) and '```' not in paragraph
        if paragraph != old[index] and isProse and max(map(len, lines)) > COLUMNS:
            end = '\n' if paragraph.endswith('\n') else ''
            paragraphs[index] = '\n'.join(wrapped_items(paragraph.strip('\n').split('\n'))) + end
    return '\n\n'.join(paragraphs)


def wrapped_items(lines):
    """Each item of a list by itself."""
    items = []
    for line in lines:
        if items and not re.match(r'\s*([-*]|\d+\.) ', line):
            items[-1].append(line)
        else:
            items.append([line])
    result = []
    for item in items:
        if max(map(len, item)) <= COLUMNS:
            result += item
            continue
        mark = re.match(r'\s*(?:(?:[-*]|\d+\.) )?', item[0]).group(0)
        words = ' '.join(line.strip() for line in item)[len(mark.strip()):].strip()
        # Code stays on one line.
        words = re.sub('`[^`]+`', lambda code: code.group(0).replace(' ', HELD), words)
        result += textwrap.wrap(
            words, COLUMNS, initial_indent=mark, subsequent_indent=' ' * len(mark),
            break_on_hyphens=False, break_long_words=False)
    return [line.replace(HELD, ' ') for line in result]


def main():
    isPortable = sys.argv[1:] == ['--portable']
    folders = SOURCES if isPortable else [pathlib.Path(sys.argv[1])]
    known = articles(folders)
    for article in known.values():
        text = article.file.read_text()
        new = (portable if isPortable else for_docc)(known, article.file, text)
        if new != text:
            article.file.write_text(new)


if __name__ == '__main__':
    main()
