"""Manual pages of the commands, from what `waggle --experimental-dump-help` writes."""
import re


def pages(tool, version, date):
    """File names with texts: one page for the tool, and one for each of its commands."""
    commands = [c for c in tool['subcommands'] if c['commandName'] != 'help']
    found = {'waggle.1': page(tool, ['waggle'], commands, version, date)}
    for command in commands:
        words = ['waggle', command['commandName']]
        found['-'.join(words) + '.1'] = page(command, words, commands, version, date)
    return found


def page(command, words, commands, version, date):
    name = '-'.join(words)
    lines = [
        f'.TH {name.upper()} 1 {date} "waggle {version}" "Waggle"',
        '.SH NAME', f'{name} \\- {text(command["abstract"]).rstrip(".")}',
        '.SH SYNOPSIS', *synopses(command, words),
    ]
    if command.get('discussion'):
        lines += ['.SH DESCRIPTION', *discussion(command['discussion'])]
    if len(words) == 1:
        lines += ['.SH COMMANDS']
        for sub in commands:
            lines += ['.TP', f'.BR {"-".join(words + [sub["commandName"]])} (1)',
                      text(sub['abstract'])]
    elif command.get('subcommands'):
        for sub in command['subcommands']:
            lines += [f'.SS {text(" ".join(words[1:] + [sub["commandName"]]))}',
                      text(sub['abstract']), *discussion(sub.get('discussion', '')),
                      *options(sub)]
    lines += ['.SH OPTIONS', *options(command)]
    lines += ['.SH EXIT STATUS',
              '0 when all is well, 1 when the input is at fault, 2 for a wrong usage, and 3 when',
              'the machine failed.']
    others = ['waggle'] if len(words) > 1 else ['waggle-' + c['commandName'] for c in commands]
    lines += ['.SH SEE ALSO', ',\n'.join(f'.BR {other} (1)' for other in others)]
    return '\n'.join(lines).replace(',\n.BR', ' ,\n.BR') + '\n'


def synopses(command, words):
    callable_ones = [(command, words)]
    if command.get('subcommands') and len(words) > 1:
        callable_ones = [(s, words + [s['commandName']]) for s in command['subcommands']]
    elif command.get('subcommands'):
        return ['.B waggle\n.I command\n[...]']
    lines = []
    for one, its_words in callable_ones:
        lines += ['.B ' + ' '.join(its_words), *[usage(a) for a in shown(one)], '.br']
    return lines[:-1]


def usage(argument):
    value = rf'\fI{text(argument["valueName"])}\fR'
    if argument['kind'] == 'positional':
        form = value
    else:
        form = rf'\fB{text(spelled(argument["preferredName"]))}\fR'
        form += f' {value}' if argument['kind'] == 'option' else ''
    form += ' ...' if argument['isRepeating'] else ''
    return f'[{form}]' if argument['isOptional'] else form


def options(command):
    lines = []
    for argument in shown(command):
        names = ', '.join(rf'\fB{text(spelled(n))}\fR' for n in argument.get('names', []))
        value = rf'\fI{text(argument["valueName"])}\fR'
        head = {'positional': value, 'flag': names, 'option': f'{names} {value}'}
        lines += ['.TP', head[argument['kind']], text(argument.get('abstract', ''))]
        standard = argument.get('defaultValue')
        lines += [text(f'The default is {standard}.')] if standard else []
    return lines


def shown(command):
    return [a for a in command.get('arguments', []) if a.get('shouldDisplay', True)]


def spelled(name):
    return ('-' if name['kind'] in ('short', 'longWithSingleDash') else '--') + name['name']


def discussion(written):
    """Paragraphs; lines that are indented are examples."""
    lines = []
    for part in re.split(r'\n\s*\n', written.strip('\n')):
        isExample = all(line.startswith('  ') for line in part.split('\n'))
        lines += ['.PP', '.nf', text(part), '.fi'] if isExample else ['.PP', text(part)]
    return lines if written else []


def text(written):
    """Escaped for roff."""
    escaped = written.replace('\\', r'\e').replace('-', r'\-')
    return '\n'.join(
        r'\&' + line if line[:1] in ('.', "'") else line for line in escaped.split('\n'))
