import DefinitionModel
import DefinitionReports
import Testing

@Suite struct TextMatrixTests {
    /// With many roles, each model's table continues below.
    @Test(arguments: [40, 60, 100, 200])
    func matrixKeepsToWidth(width: Int) {
        let roles = (0..<12).map { Role(group: "group\($0)", deviceCategory: "mobile") }
        let model = Sample.model("order", fields: [Sample.field("customer")])
        let matrix = RightsMatrix(Sample.definition(roles: roles, models: [model]))
        let lines = renderAsText(matrix, width: width).split(separator: "\n")
        let table = lines.prefix { !$0.hasPrefix("C create") }
        #expect(table.allSatisfy { $0.count <= width })
        for role in roles {
            #expect(table.count { $0.split(separator: " ").contains(Substring(role.group)) } == 1)
        }
    }

    @Test func pipeGetsNoColours() throws {
        let matrix = RightsMatrix(try Documents.definition("levels"))
        let coloured = renderAsText(matrix, style: .coloured)
        #expect(coloured.contains("\u{1B}["))
        #expect(
            renderAsText(matrix)
                == coloured.replacing(/\u{1B}\[\d+m/, with: "")
                .replacing(/\ +\n/, with: "\n"))
    }

    @Test func nothingToShowIsShown() {
        let empty = renderAsText(RightsMatrix(Sample.definition(models: [])))
        #expect(empty.hasPrefix("sample of sample: no models, no roles\n"))
        let model = Sample.model("order", fields: [])
        let lonely = renderAsText(RightsMatrix(Sample.definition(models: [model])))
        #expect(lonely.contains("\norder\n"))
    }
}
