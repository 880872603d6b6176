"""What every room uses: errors for people, YAML with schemas, files, container engines. Imports no other room."""
