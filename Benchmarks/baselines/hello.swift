// The floor of any program in Swift: it does nothing but say so.
print("hello")
