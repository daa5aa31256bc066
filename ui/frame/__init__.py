"""The frame around every page: navigation, address, language, colours, fields, errors, downloads."""
