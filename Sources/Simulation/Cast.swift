import DefinitionModel

/// A device, and who has it.
struct Player: Hashable, Sendable {
    let login: String
    /// The person's at the start.
    let group: String
    let deviceCategory: String
    let deviceIdentifier: String
}

/// Who plays: so many devices, two of three of them somebody's first one.
func cast(of definition: Definition, clients: Int) -> [Player] {
    let people = (clients * 2 + 2) / 3
    return (0..<clients).map { number in
        let person = number % people
        let role = definition.roles[person % definition.roles.count]
        let categories = definition.roles.filter { $0.group == role.group }.map(\.deviceCategory)
        let first = categories.firstIndex(of: role.deviceCategory) ?? 0
        let category = categories[(first + number / people) % categories.count]
        let login = loginOfPerson(person)
        return Player(
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
