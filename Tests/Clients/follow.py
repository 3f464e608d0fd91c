import pathmonitor

for path in pathmonitor.watch(source="service"):
    print(path.knowledge, path.status, str(path.is_expensive).lower(), flush=True)
