<%@ page contentType="text/html; charset=UTF-8" session="false" %>
<%! private static final String FROM_PAGE = "declared by the page"; %>
<!DOCTYPE html>
<html lang="en">
<head><meta name="color-scheme" content="light dark"><title>Include</title></head>
<body>
<h1>Include</h1>
<%@ include file="WEB-INF/included.jspf" %>
<jsp:include page="WEB-INF/part.jsp"><jsp:param name="who" value="the page that includes it"/></jsp:include>
</body>
</html>
