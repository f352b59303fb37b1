<%@ page contentType="text/html; charset=UTF-8" %>
<p>failed: ${message}</p>
