<%@ page contentType="text/html; charset=UTF-8" session="false" %>
<p>Half a page that nobody will see.</p>
<%= 100 / Integer.parseInt(request.getParameter("divisor")) %>
