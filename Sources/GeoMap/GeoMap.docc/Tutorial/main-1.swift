import Foundation

let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? ".")
for line in try await describe(folder) { print(line) }
