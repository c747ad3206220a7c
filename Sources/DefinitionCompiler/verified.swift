/// The root as it came, every problem of its shape reported; nil when it is not an application at
/// all, so that nothing more can be said.
func verified(_ root: Element, reportingTo findings: inout Findings) -> Element? {
    guard root.name == Shape.application.name else {
        findings.report(.wrongRoot(root.name, at: root.nameRange))
        return nil
    }
    if let namespace = root.namespaceName, root.namespace != .language {
        let declaration = root.namespaceDeclarations.first { $0.value == namespace }
        findings.report(
            .wrongNamespace(
                namespace, expected: languageNamespace,
                at: declaration?.valueRange ?? root.nameRange))
    }
    verify(
        root, against: .application, namespaces: [.none, .language, root.namespace],
        reportingTo: &findings)
    return root
}

/// Attributes of these namespaces say nothing about an application and stand in many documents.
private let harmlessNamespaces = [
    "http://www.w3.org/2001/XMLSchema-instance", "http://www.w3.org/XML/1998/namespace",
]

private func verify(
    _ element: Element, against shape: Shape, namespaces: [Namespace],
    reportingTo findings: inout Findings
) {
    verifyAttributes(of: element, against: shape, reportingTo: &findings)
    if !element.text.isEmpty, !shape.holdsText {
        findings.report(.unexpectedText(in: element.name, at: element.textRange))
    }
    var sections: [Element] = []
    for child in element.children {
        guard namespaces.contains(child.namespace) else {
            findings.report(
                .foreignElement(
                    child.name, namespace: child.namespaceName, at: child.nameRange))
            continue
        }
        guard let childShape = shape.children.first(where: { $0.name == child.name }) else {
            findings.report(
                .unknownElement(
                    child.name, in: shape.name, known: shape.children.map(\.name),
                    at: child.nameRange))
            continue
        }
        if childShape.isSection {
            if let first = sections.first(where: { $0.name == child.name }) {
                findings.report(
                    .duplicateSection(child.name, at: child.nameRange, first: first.nameRange))
            } else {
                sections.append(child)
            }
        }
        verify(child, against: childShape, namespaces: namespaces, reportingTo: &findings)
    }
}

private func verifyAttributes(
    of element: Element, against shape: Shape, reportingTo findings: inout Findings
) {
    for attribute in element.attributes {
        if attribute.namespace == .own {
            if !shape.ownAttributes.contains(attribute.name) {
                findings.report(
                    .unknownOwnAttribute(
                        attribute.name, of: shape.name, known: shape.ownAttributes,
                        at: attribute.nameRange))
            }
            continue
        }
        if let namespace = attribute.namespaceName {
            guard !harmlessNamespaces.contains(namespace) else { continue }
            findings.report(
                .foreignAttribute(
                    attribute.name, namespace: namespace, at: attribute.nameRange))
            continue
        }
        guard shape.attributes.contains(attribute.name) else {
            findings.report(
                .unknownAttribute(
                    attribute.name, of: shape, at: attribute.nameRange))
            continue
        }
    }
    for name in shape.required where element[name] == nil {
        findings.report(.missingAttribute(name, of: shape.name, at: element.nameRange))
    }
}
