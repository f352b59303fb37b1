<%@ page session="false" %>
This text never leaves the buffer.
<jsp:forward page="WEB-INF/target.jsp"><jsp:param name="who" value="forward.jsp"/></jsp:forward>
