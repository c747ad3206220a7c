/// Reports every structural problem of the document and returns its root. Nil if the root is not an
/// application, in which case nothing else is checked.
func validated(_ root: Element, reportingTo collector: inout DiagnosticCollector) -> Element? {
    guard root.name == ElementSchema.application.name else {
        collector.report(.wrongRoot(root.name, at: root.nameRange))
        return nil
    }
    if let namespace = root.namespaceName, root.namespace != .language {
        let declaration = root.namespaceDeclarations.first { $0.value == namespace }
        collector.report(
            .wrongNamespace(
                namespace, expected: languageNamespace,
                at: declaration?.valueRange ?? root.nameRange))
    }
    validate(
        root, against: .application, namespaces: [.none, .language, root.namespace],
        reportingTo: &collector)
    return root
}

/// Namespaces whose attributes are ignored, because they occur in many documents.
private let harmlessNamespaces = [
    "http://www.w3.org/2001/XMLSchema-instance", "http://www.w3.org/XML/1998/namespace",
]

private func validate(
    _ element: Element, against schema: ElementSchema, namespaces: [Namespace],
    reportingTo collector: inout DiagnosticCollector
) {
    validateAttributes(of: element, against: schema, reportingTo: &collector)
    if !element.text.isEmpty, !schema.holdsText {
        collector.report(.unexpectedText(in: element.name, at: element.textRange))
    }
    var sections: [Element] = []
    for child in element.children {
        guard namespaces.contains(child.namespace) else {
            collector.report(
                .foreignElement(
                    child.name, namespace: child.namespaceName, at: child.nameRange))
            continue
        }
        guard let childSchema = schema.children.first(where: { $0.name == child.name }) else {
            collector.report(
                .unknownElement(
                    child.name, in: schema.name, known: schema.children.map(\.name),
                    at: child.nameRange))
            continue
        }
        if childSchema.isSection {
            if let first = sections.first(where: { $0.name == child.name }) {
                collector.report(
                    .duplicateSection(child.name, at: child.nameRange, first: first.nameRange))
            } else {
                sections.append(child)
            }
        }
        validate(child, against: childSchema, namespaces: namespaces, reportingTo: &collector)
    }
}

private func validateAttributes(
    of element: Element, against schema: ElementSchema,
    reportingTo collector: inout DiagnosticCollector
) {
    for attribute in element.attributes {
        if attribute.namespace == .own {
            if !schema.ownAttributes.contains(attribute.name) {
                collector.report(
                    .unknownOwnAttribute(
                        attribute.name, of: schema.name, known: schema.ownAttributes,
                        at: attribute.nameRange))
            }
            continue
        }
        if let namespace = attribute.namespaceName {
            guard !harmlessNamespaces.contains(namespace) else { continue }
            collector.report(
                .foreignAttribute(
                    attribute.name, namespace: namespace, at: attribute.nameRange))
            continue
        }
        guard schema.attributes.contains(attribute.name) else {
            collector.report(
                .unknownAttribute(
                    attribute.name, of: schema, at: attribute.nameRange))
            continue
        }
    }
    for name in schema.required where element[name] == nil {
        collector.report(.missingAttribute(name, of: schema.name, at: element.nameRange))
    }
}
