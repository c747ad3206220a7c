import DefinitionModel

/// A device and its user.
struct Participant: Hashable, Sendable {
    let login: String
    /// The user's group at the start.
    let group: String
    let deviceCategory: String
    let deviceIdentifier: String
}

/// One participant for each device; of three devices, two are the first ones of their users.
func participants(of definition: Definition, clients: Int) -> [Participant] {
    let people = (clients * 2 + 2) / 3
    return (0..<clients).map { number in
        let person = number % people
        let role = definition.roles[person % definition.roles.count]
        let categories = definition.roles.filter { $0.group == role.group }.map(\.deviceCategory)
        let first = categories.firstIndex(of: role.deviceCategory) ?? 0
        let category = categories[(first + number / people) % categories.count]
        let login = loginOfPerson(person)
        return Participant(
            login: login, group: role.group, deviceCategory: category,
            deviceIdentifier: number < people ? login : "\(login)-\(number / people + 1)")
    }
}

private func loginOfPerson(_ number: Int) -> String {
    let names = [
        "anna", "ben", "cleo", "dan", "eva", "finn", "gus", "hana", "ida", "jon", "kim", "leo",
    ]
    let round = number / names.count
    return names[number % names.count] + (round == 0 ? "" : "\(round + 1)")
}
