import Foundation
import Kept
import Waggle

/// Makes records of the models that the build wrote, and asks for them; says what came out.
@main
struct Shop {
    static func main() throws {
        let definition = try AppDefinition.sShop
        print("definition:", definition.application, definition.digest.count)

        var order = SHOrder(customer: "Anna")
        print("a new order is", order.status.rawValue)
        order.status = .inWork
        let item = SHItem(order: order.reference, price: .value(ExactDecimal("12.50") ?? 0))
        print("the item belongs to its order:", item.order.guid == order.guid)

        let read = try JSONDecoder().decode(SHOrder.self, from: JSONEncoder().encode(order))
        print("an order is read as it was written:", read == order)
        let items: Query<SHItem> = order.items.where(\.price >= 10)
        print("items of the order:", "\(items)".contains(order.guid))
        let query = Query<SHOrder>().where(\.status == .inWork).order(by: \.customer).limit(to: 10)
        print("orders in work:", "\(query)".contains("in work"))
        print("the price of another's item:", try hiddenPrice())
        print("kept in git:", KTNote.modelName, try AppDefinition.ktKept.application)
    }

    private static func hiddenPrice() throws -> String {
        let json = """
            {"model": "item", "guid": "i", "owner": "ben", "group": "clerks",
             "conflicted": false, "fields": {"order": "o"}}
            """
        let item = try JSONDecoder().decode(SHItem.self, from: Data(json.utf8))
        return item.price.isHidden ? "hidden" : "seen"
    }
}
