@main enum RequestProbe { static func main() {} }
