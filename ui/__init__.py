"""What the pages share. Imports point down only: pages import `ui`, `ui` imports `calc`."""
