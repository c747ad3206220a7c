import DefinitionModel

/// Warns of fields that clients of Parse cannot have: a body or an object has something else under
/// their name.
func warn(
    ofParseNamesIn contents: DefinitionContents, in document: Document,
    reportingTo collector: inout DiagnosticCollector
) {
    for model in contents.models {
        let taken =
            model.foreignName == ParseNames.userClass
            ? ParseNames.ofObjects.union(ParseNames.ofUsers) : ParseNames.ofObjects
        for field in model.fields where taken.contains(field.foreignName) {
            let alias = document.element(at: field.place)?[own: "alias"]?.valueRange
            collector.warn(
                .nameOfParse(
                    field.foreignName, isAlias: alias != nil,
                    at: alias ?? document.range(of: "name", at: field.place)))
        }
    }
}

/// Names that are not free for the fields of clients of Parse.
private enum ParseNames {
    static let userClass = "_User"
    static let ofObjects: Set<String> = [
        "objectId", "createdAt", "updatedAt", "className", "__type", "ACL",
    ]
    /// The account and its session have these.
    static let ofUsers: Set<String> = [
        "username", "password", "email", "authData", "sessionToken",
    ]
}
