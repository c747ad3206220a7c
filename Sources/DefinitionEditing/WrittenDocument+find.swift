import DefinitionCompiler

extension WrittenDocument {
    /// The element at a path; nil if there is none. The first of several counts.
    func find(_ path: ElementPath) -> DocumentElement? { find(path.steps[...], below: root) }

    func find(
        _ steps: ArraySlice<ElementPath.Step>, below parent: DocumentElement
    )
        -> DocumentElement?
    {
        steps.reduce(parent) { element, step in
            element?.children.first { $0.matches(step) }
        }
    }
}

extension DocumentElement {
    func matches(_ step: ElementPath.Step) -> Bool {
        name == step.name
            && step.keys.allSatisfy { key in
                attribute(key.name)?.value == key.value
            }
    }

    /// The attribute with a name as edits have it: `w:` for Waggle's own.
    func attribute(_ name: String) -> DocumentAttribute? {
        let own = name.hasPrefix("w:")
        let plain = own ? String(name.dropFirst(2)) : name
        return attributes.first { attribute in
            attribute.name == plain && attribute.isOwn == own
                && (own || !attribute.writtenName.contains(":"))
        }
    }
}
