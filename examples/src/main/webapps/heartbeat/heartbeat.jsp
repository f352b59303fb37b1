<%@ page session="false" contentType="text/html; charset=UTF-8" trimDirectiveWhitespaces="true" %>
<!DOCTYPE html>
<html lang="en">
<head><title>Heartbeat</title></head>
<body>
<h1>Heartbeat</h1>
<p><%= new java.util.Date() %></p>
</body>
</html>
