import DefinitionModel

/// Boxes and the links between them, all by index.
struct Graph {
    let boxes: [BoxSize]
    /// Links between different boxes. Relations of a model to itself take part in no layout step.
    let links: [Link]

    struct Link: Hashable {
        let source: Int
        /// The index of the field in its model.
        let row: Int
        let target: Int
    }

    /// The subgraph of these boxes, renumbered in the order of the list. They must not be linked to
    /// other boxes.
    func subgraph(_ members: [Int]) -> Graph {
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

    /// The connected components, each and all in the order of the boxes.
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
