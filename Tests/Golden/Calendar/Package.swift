// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Calendar",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "Calendar", targets: ["CalendarApp"])],
    dependencies: [
        // Where Waggle is: a folder of this computer, or a repository.
        .package(name: "waggle", path: "../../..")
    ],
    targets: [
        .executableTarget(
            name: "CalendarApp",
            dependencies: [.product(name: "Waggle", package: "waggle")],
            // Makes the types of the models, in each build, from the application.xml.
            plugins: [.plugin(name: "WaggleModels", package: "waggle")]),
        .testTarget(
            name: "CalendarAppTests",
            dependencies: ["CalendarApp", .product(name: "Waggle", package: "waggle")]),
    ])
