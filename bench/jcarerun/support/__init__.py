"""What every room uses: errors for people, YAML with schemas, JSON, files, container engines. Imports no other room."""
