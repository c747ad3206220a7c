import DefinitionModel

/// Boxes and what leads from one to another, all by their index.
struct Graph {
    let boxes: [BoxSize]
    /// Only between different boxes; a relation of a model to itself needs no place of its own.
    let links: [Link]

    struct Link: Hashable {
        let source: Int
        /// The field's index in its model.
        let row: Int
        let target: Int
    }

    /// The part with these boxes, which must not be linked to any others, and whose indices are now
    /// those in the list.
    func part(_ members: [Int]) -> Graph {
        let index = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1, $0) })
        return Graph(
            boxes: members.map { boxes[$0] },
            links: links.compactMap { link in
                guard let source = index[link.source], let target = index[link.target] else {
                    return nil
                }
                return Link(source: source, row: link.row, target: target)
            })
    }

    /// The boxes that hang together, each list and all of them in the order of the boxes.
    var components: [[Int]] {
        var neighbours = boxes.map { _ in [Int]() }
        for link in links {
            neighbours[link.source].append(link.target)
            neighbours[link.target].append(link.source)
        }
        var isFound = boxes.map { _ in false }
        return boxes.indices.compactMap { first in
            guard !isFound[first] else { return nil }
            isFound[first] = true
            var members = [first]
            var next = 0
            while next < members.count {
                for neighbour in neighbours[members[next]] where !isFound[neighbour] {
                    isFound[neighbour] = true
                    members.append(neighbour)
                }
                next += 1
            }
            return members.sorted()
        }
    }
}

extension Graph {
    init(_ models: [Model]) {
        let index = Dictionary(
            models.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        boxes = models.map(BoxSize.init)
        links = models.enumerated().flatMap { source, model in
            model.fields.enumerated().compactMap { row, field -> Link? in
                guard let relation = field.relation, let target = index[relation.model],
                    target != source
                else { return nil }
                return Link(source: source, row: row, target: target)
            }
        }
    }
}
